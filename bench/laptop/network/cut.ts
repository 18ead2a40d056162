/** Changes which parts reach each other, in a network of namespaces or of relays. */
import { changeState, type FleetState } from '../state.js';
import { cutNamespaces } from './namespaces.js';
import { cutRelays } from './relays.js';

/**
 * Replaces the cuts of a fleet by those that a function returns. If the new cuts cannot be made, the recorded cuts stay
 * unchanged.
 */
export const cutFleet = async (
  folder: string,
  wanted: (state: FleetState) => FleetState['cuts'],
): Promise<void> => {
  await changeState(folder, async (state) => {
    const cuts = wanted(state);
    if (state.network === 'netns') await cutNamespaces(state, state.cuts, cuts);
    else await cutRelays(folder, cuts);
    return { ...state, cuts };
  });
};
