/** Changes which parts reach each other, whatever the network of the fleet is. */
import { changeState, type FleetState } from '../state.js';
import { cutNamespaces } from './namespaces.js';
import { cutRelays } from './relays.js';

/** Makes the cuts that a function wants. If they cannot be made, the recorded cuts stay as they are. */
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
