/** Owns the commands on one agreement that need no other fields. */
import type { InstructionDef } from '../../model/index.js'
import type { WaitMode } from '../input/wait-mode.js'
import { LedgerCommand } from '../ledger/command.js'
import type { SettingFlags } from '../settings/settings.js'
import type { ReviewFlags } from '../transaction/review.js'
import { draftedAgreement } from './forms.js'

type Flags = SettingFlags & ReviewFlags & { readonly wait: WaitMode; readonly 'dry-run': boolean }

/** Base of the commands that name an agreement. */
export abstract class AgreementCommand extends LedgerCommand {
  /** Send an instruction on the agreement in the arguments. */
  protected async act(text: string, flags: Flags, def: InstructionDef<{ readonly id: Uint8Array }>): Promise<void> {
    await this.send(flags, async (drafting) => [drafting.read(def, { id: await draftedAgreement(drafting, text) })])
  }
}
