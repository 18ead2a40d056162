import { within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { type ClientAddress, RateLimit } from '../../identity/index.js';
import {
  clientAddressReader,
  originCheck,
  Quota,
  type ReadClientAddress,
  refuseForwarded,
} from '../clients/index.js';
import type { HttpRequest, HttpResponse } from '../listener/index.js';

const refusal = (wait: number): CochleaError =>
  new CochleaError('opens_limited', { seconds: Math.max(1, Math.ceil(wait / 1000)) });

/** Opens of a user that may come at once, for each that may come in a minute. */
const opensAtOnce = 2;

/** Characters of a `Connection` header that the older uWebSockets.js reads as `close`, whatever they are. */
const readAsClose = 'close'.length;

/**
 * What is wrong with the framing of an upgrade. uWebSockets.js does not ask. It takes note of a first `Connection` header of
 * five letters, and ends the connection when the answer is written outside the response's own cork. An upgrade with the
 * older build is, and would go on with a socket whose memory is free then. A body would be read as frames.
 */
const faultOf = (request: HttpRequest): string | undefined => {
  const options: string[] = [];
  let hasBody = false;
  request.forEach((name, value) => {
    if (name === 'connection') options.push(...value.toLowerCase().split(','));
    hasBody ||= name === 'transfer-encoding' || (name === 'content-length' && value !== '0');
  });
  if (hasBody) return 'it has a body';
  const names = options.map((option) => option.trim());
  if (names.includes('close') || request.getHeader('connection').length === readAsClose) {
    return 'its connection is to be closed';
  }
  return names.includes('upgrade') ? undefined : 'its Connection header does not name "Upgrade"';
};

/**
 * What is asked of every upgrade apart from who it is and whether there is space: that its head says so, that it comes from this machine where
 * only this machine may come, that its page is allowed, that its address and later its user do not open too often, and
 * that not too many tokens are being checked at once.
 */
export class UpgradeGate {
  readonly #settings: Settings;
  readonly #clientAddress: ReadClientAddress;
  readonly #refuseOrigin: ReturnType<typeof originCheck>;
  readonly #byAddress: RateLimit;
  readonly #byUser: RateLimit;
  readonly #checking: Quota;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#clientAddress = clientAddressReader(settings);
    this.#refuseOrigin = originCheck(settings);
    this.#byAddress = new RateLimit(settings.maxOpensPerAddress);
    const { maxOpensPerUser: perMinute } = settings;
    this.#byUser = new RateLimit(perMinute, undefined, opensAtOnce * perMinute);
    this.#checking = new Quota(settings.maxUpgrades, settings.maxUpgradesPerAddress);
  }

  /**
   * Lets an upgrade in, before anything is read of it but headers.
   * @returns the client's address; request and address are gone when the handler has returned.
   * @throws CochleaError upgrade_malformed, forwarded_refused, host_refused, origin_refused.
   */
  enter(response: HttpResponse, request: HttpRequest): ClientAddress {
    const fault = faultOf(request);
    if (fault !== undefined) throw new CochleaError('upgrade_malformed', { why: fault });
    const refused = refuseForwarded(request, this.#settings) ?? this.#refuseOrigin(request);
    if (refused !== null) throw refused;
    return this.#clientAddress(response, request);
  }

  /**
   * Counts one upgrade of an address. What is refused because the engine has no space is not counted: a fleet behind one
   * address that reconnects at once would otherwise spend its allowance on refusals.
   * @throws CochleaError opens_limited.
   */
  countUpgrade(client: ClientAddress): void {
    const wait = client.exempt ? 0 : this.#byAddress.take(client.group);
    if (wait > 0) throw refusal(wait);
  }

  /**
   * Runs the check of a token, counted while it lasts; it may last as long as a client may take for an auth message.
   * @throws CochleaError upgrades_full, opens_limited, auth_unavailable when the check does not end, and what the check throws.
   */
  async whileChecking<Result>(client: ClientAddress, check: () => Promise<Result>): Promise<Result> {
    if (this.#checking.isFull || this.#checking.exhausted(client)) throw new CochleaError('upgrades_full');
    this.countUpgrade(client);
    this.#checking.enter(client);
    try {
      const timeout = this.#settings.webAuthTimeout;
      return await within(check(), timeout, () => {
        const cause = new Error(`no answer within ${timeout} ms`);
        throw new CochleaError('auth_unavailable', {}, { cause });
      });
    } finally {
      this.#checking.leave(client);
    }
  }

  /** A stream of this user was closed because it broke a rule: the next ones have to wait longer. */
  countViolation(uid: string): void {
    this.#byUser.charge(uid, fixedLimits.violationOpens.value);
  }

  /** Counts one stream opened by a user. @throws CochleaError opens_limited. */
  countOpen(uid: string): void {
    const wait = this.#byUser.take(uid);
    if (wait > 0) throw refusal(wait);
  }
}
