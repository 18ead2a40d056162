/** Methods that pass to the sidecar; every other one is refused. */
export const servedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Value of the `Allow` header of a refusal, and of the answer to `OPTIONS *`. */
export const allowedMethods = servedMethods.join(', ');
