/** Owns what commands that write to the ledger share: signing, resolving accounts, sending, waiting. */
import type { Json } from '../codec/index.js'
import { BaseCommand } from './base-command.js'
import type { SettingFlags } from './settings.js'
import type { Signing, WaitMode } from './submit.js'

/** What the maker of instructions gets. */
export interface Drafting extends Signing {
  /** Address of an account that is written as an address or an alias; the key's own when nothing is written. */
  readonly account: (text: string | undefined) => Promise<string>
}

/** The base of commands that send instructions. */
export abstract class LedgerCommand extends BaseCommand {
  /** Signs and submits what `make` gives as JSON twins, then waits and prints as the flags say. */
  protected async send(
    flags: SettingFlags & { readonly wait: WaitMode; readonly 'dry-run': boolean },
    make: (drafting: Drafting) => Promise<readonly Json[]> | readonly Json[],
  ): Promise<void> {
    const settings = await this.settings(flags)
    const { resolveAccount, submitInstructions } = await import('./submit.js')
    const context = { settings, out: this.out, silent: this.silent, wait: flags.wait, dryRun: flags['dry-run'] }
    await submitInstructions(context, (signing) =>
      make({
        ...signing,
        account: async (text) => (text === undefined ? signing.address : resolveAccount(signing.client, text)),
      }),
    )
  }
}
