/** Owns commands that change one subscription. */
import type { Instruction } from '../../model/index.js'
import type { WaitMode } from '../input/wait-mode.js'
import { LedgerCommand } from '../ledger/command.js'
import type { SettingFlags } from '../settings/settings.js'
import type { ReviewFlags } from '../transaction/review.js'
import type { ReadInstruction } from '../transaction/submit.js'
import { draftedId } from './forms.js'

/** Parsed flags of a change. */
type ChangeFlags = SettingFlags &
  ReviewFlags & {
    readonly wait: WaitMode
    readonly 'dry-run': boolean
    readonly account?: string | undefined
    readonly reference: string
  }

/** Base of the commands that name a subscription. */
export abstract class SubscriptionCommand extends LedgerCommand {
  /** Send an instruction on the subscription in the arguments. */
  protected async change(
    text: string,
    flags: ChangeFlags,
    make: (read: ReadInstruction, subscription: string) => Instruction,
  ): Promise<void> {
    const { account, reference } = flags
    await this.send(flags, async (drafting) => [
      make(drafting.read, await draftedId(drafting, { text, account, reference })),
    ])
  }
}
