/** The speaker model of the manifest that is used unless the caller names another. */
export const voiceModel = 'ge2e';
