/** Owns the base class of commands that write to the ledger: signing, resolving accounts, sending, waiting. */
import type { Instruction } from '../../model/index.js'
import { BaseCommand } from '../command/base-command.js'
import type { WaitMode } from '../input/wait-mode.js'
import type { SettingFlags } from '../settings/settings.js'
import type { ReviewFlags } from '../transaction/review.js'
import type { Signing } from '../transaction/submit.js'

/** Input of an instruction builder. */
export interface Drafting extends Signing {
  /** Address of an account given as an address or an alias; without a text, the address of the key. */
  readonly account: (text: string | undefined) => Promise<string>
  /** Id of an asset definition given as its id or an alias. */
  readonly asset: (text: string) => Promise<string>
  /** Add a line to the review before signing. */
  readonly remark: (line: string) => void
}

/** Base class of commands that send instructions. */
export abstract class LedgerCommand extends BaseCommand {
  /** Sign and submit the result of `make`, then wait and print according to the flags. */
  protected async send(
    flags: SettingFlags & ReviewFlags & { readonly wait: WaitMode; readonly 'dry-run': boolean },
    make: (drafting: Drafting) => Promise<readonly Instruction[]> | readonly Instruction[],
  ): Promise<void> {
    const settings = await this.settings(flags)
    const more: string[] = []
    const { submitInstructions } = await import('../transaction/submit.js')
    const { wait, 'dry-run': dryRun } = flags
    const context = { settings, out: this.out, silent: this.silent, wait, dryRun, asking: flags }
    const drafted = (signing: Signing) =>
      make({
        ...signing,
        account: async (text) => (text === undefined ? signing.address : signing.names.account(text)),
        asset: (text) => signing.names.asset(text),
        // Instructions built with aliases are rebuilt with their ids.
        remark: (line) => void (more.includes(line) || more.push(line)),
      })
    await submitInstructions(context, drafted, more)
  }
}
