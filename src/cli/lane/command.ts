/** Owns the base class of commands that change lanes, dataspaces and the policy: they start from the latest decided state and print when the change takes effect. */
import type { Instruction } from '../../model/index.js'
import { getView, optionalView, type View } from '../gateway/gateway.js'
import type { WaitMode } from '../input/wait-mode.js'
import { type Drafting, LedgerCommand } from '../ledger/command.js'
import type { SettingFlags } from '../settings/settings.js'
import type { ReviewFlags } from '../transaction/review.js'

type ChangeFlags = SettingFlags & ReviewFlags & { readonly wait: WaitMode; readonly 'dry-run': boolean }

/** Command that shows the change of each kind of instruction; kinds that are not listed use the list of lanes. */
const LOOKS: Readonly<Record<string, string>> = {
  setRoutingPolicy: 'lane policy show',
  setDataspaces: 'lane dataspace list',
}

/** Latest decided catalogue, including pending changes. */
export function latestOf(lifecycle: View): View {
  return optionalView(lifecycle.pending) ?? lifecycle
}

/** Base class of commands that change lanes. */
export abstract class LaneCommand extends LedgerCommand {
  /** Sign and submit the instruction that `make` returns for the latest decided catalogue. */
  protected async change(
    flags: ChangeFlags,
    make: (latest: View, drafting: Drafting) => Promise<Instruction> | Instruction,
  ): Promise<void> {
    let look = 'lane list'
    await this.send(flags, async (drafting) => {
      const lifecycle = await getView(drafting.client, ({ lanes }) => lanes.lifecycle)
      const instruction = await make(latestOf(lifecycle), drafting)
      look = LOOKS[instruction.kind] ?? look
      return [instruction]
    })
    if (flags.wait === 'committed' && !flags['dry-run'])
      this.out.note(`it takes effect two heights later: \`causeway ${look}\``)
  }
}
