import { within } from '../../common/index.js';
import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { type ClientAddress, RateLimit } from '../../identity/index.js';
import {
  clientAddressReader,
  type FleetLimits,
  type LimitKind,
  originCheck,
  Quota,
  type ReadClientAddress,
  refuseForwarded,
} from '../clients/index.js';
import type { HttpRequest, HttpResponse } from '../listener/index.js';

const refusal = (wait: number): CochleaError =>
  new CochleaError('opens_limited', { seconds: Math.max(1, Math.ceil(wait / 1000)) });

/** Number of streams that a user may open at once, divided by the number that the user may open per minute. */
const opensAtOnce = 2;

/**
 * Length of a first `Connection` header that the older build of uWebSockets.js reads as `close`, whatever the header
 * contains.
 */
const readAsClose = 'close'.length;

/**
 * Returns the fault in the head of an upgrade request, because uWebSockets.js does not check it.
 *
 * uWebSockets.js reads any first `Connection` header of five letters as `close`. It then ends the connection when an
 * answer is written outside the response's own cork. The older build answers upgrades outside that cork, and would
 * continue to use the memory of the closed socket.
 *
 * A body is also a fault, because its bytes would be read as frames.
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
    return 'its Connection header asks to close';
  }
  return names.includes('upgrade') ? undefined : 'its Connection header does not name "Upgrade"';
};

/**
 * Checks every upgrade: the head must be valid, and the origin permitted. With `AUTH_MODE=uid` the request must come
 * from this machine. Also limits how many streams an address or a user may open per minute, and the number of
 * concurrent token checks. Does not check identity and available space.
 */
export class UpgradeGate {
  readonly #clientAddress: ReadClientAddress;
  readonly #refuseOrigin: ReturnType<typeof originCheck>;
  readonly #byAddress: RateLimit;
  readonly #byUser: RateLimit;
  readonly #checking: Quota;

  /**
   * @param fleet counts the opens (see `FleetLimits`) at other engines.
   * @param kinds kinds of limits under which `fleet` counts the opens of a user and of an address.
   */
  constructor(
    private readonly settings: Settings,
    private readonly fleet: FleetLimits,
    private readonly kinds: { readonly user: LimitKind; readonly address: LimitKind },
  ) {
    this.#clientAddress = clientAddressReader(settings);
    this.#refuseOrigin = originCheck(settings);
    this.#byAddress = new RateLimit(settings.maxOpensPerAddress);
    const { maxOpensPerUser: perMinute } = settings;
    this.#byUser = new RateLimit(perMinute, undefined, opensAtOnce * perMinute);
    this.#checking = new Quota(settings.maxUpgrades, settings.maxUpgradesPerAddress);
    fleet.onTaken(kinds.user, (uid, amount) => this.#byUser.charge(uid, amount));
    fleet.onTaken(kinds.address, (group, amount) => this.#byAddress.charge(group, amount));
  }

  /**
   * Checks an upgrade by its headers, before anything else is read.
   * @returns the client's address. Request and response must not be read after the handler has returned.
   * @throws CochleaError upgrade_malformed, forwarded_refused, host_refused, origin_refused.
   */
  enter(response: HttpResponse, request: HttpRequest): ClientAddress {
    const fault = faultOf(request);
    if (fault !== undefined) throw new CochleaError('upgrade_malformed', { why: fault });
    const refused = refuseForwarded(request, this.settings) ?? this.#refuseOrigin(request);
    if (refused !== null) throw refused;
    return this.#clientAddress(response, request);
  }

  /**
   * Counts one upgrade of an address. An upgrade that the engine refuses for lack of space is not counted. Otherwise
   * many clients behind one address that reconnect at once would use up their allowance.
   * @throws CochleaError opens_limited.
   */
  countUpgrade(client: ClientAddress): void {
    if (client.exempt) return;
    const wait = this.#byAddress.take(client.group);
    if (wait > 0) throw refusal(wait);
    this.fleet.takes(this.kinds.address, client.group);
  }

  /**
   * Runs the check of a token. Until the check ends, it counts as a concurrent check. Its timeout is that of an auth
   * message, `webAuthTimeout`.
   * @throws CochleaError upgrades_full, opens_limited, auth_unavailable when the check does not end in time, and the
   *   errors of the check.
   */
  async whileChecking<Result>(client: ClientAddress, check: () => Promise<Result>): Promise<Result> {
    if (this.#checking.isFull || this.#checking.exhausted(client)) throw new CochleaError('upgrades_full');
    this.countUpgrade(client);
    this.#checking.enter(client);
    try {
      const timeout = this.settings.webAuthTimeout;
      return await within(check(), timeout, () => {
        const cause = new Error(`no answer within ${timeout} ms`);
        throw new CochleaError('auth_unavailable', {}, { cause });
      });
    } finally {
      this.#checking.leave(client);
    }
  }

  /**
   * Records that a stream of this user was closed for breaking a rule. The user must then wait longer before
   * opening further streams.
   */
  countViolation(uid: string): void {
    const { value: opens } = fixedLimits.violationOpens;
    this.#byUser.charge(uid, opens);
    this.fleet.takes(this.kinds.user, uid, opens);
  }

  /**
   * Counts one stream that a user opens.
   * @throws CochleaError opens_limited.
   */
  countOpen(uid: string): void {
    const wait = this.#byUser.take(uid);
    if (wait > 0) throw refusal(wait);
    this.fleet.takes(this.kinds.user, uid);
  }
}
