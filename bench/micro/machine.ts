export { checkout } from '../checkout.js';
