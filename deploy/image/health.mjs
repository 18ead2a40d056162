/** Health check of the container: exits with 0 if the engine accepts streams, else with 1 and the reason. */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

const { HOST = '', PORT = '', TLS_CERT = '' } = process.env;
const everywhere = ['', '0.0.0.0', '::'];
const options = {
  host: everywhere.includes(HOST) ? '127.0.0.1' : HOST,
  port: PORT || 8787,
  path: '/engine/health/ready',
  timeout: 4000,
  // The certificate names the public host, and this request does not leave the machine.
  rejectUnauthorized: false,
};

const fail = (why) => {
  process.stdout.write(`${why}\n`);
  process.exit(1);
};

const request = (TLS_CERT === '' ? plain : secure)(options, (response) => {
  if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
  process.exit(0);
});
request.on('timeout', () => fail('no answer in time'));
request.on('error', (error) => fail(error.message));
request.end();
