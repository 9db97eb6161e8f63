/** Owns commands that change one subscription by its id alone. */
import type { InstructionDef, RecordTwin } from '../../model/index.js'
import { writeFlags } from '../command/flags.js'
import type { WaitMode } from '../input/wait-mode.js'
import { LedgerCommand } from '../ledger/command.js'
import type { SettingFlags } from '../settings/settings.js'
import type { ReviewFlags } from '../transaction/review.js'
import { draftedId, subscriptionArgs, subscriptionFlags } from './forms.js'

/** Flags of a change as they are parsed. */
export type ChangeFlags = SettingFlags &
  ReviewFlags & {
    readonly wait: WaitMode
    readonly 'dry-run': boolean
    readonly account?: string | undefined
    readonly reference: string
  }

/** The base of commands that name a subscription. */
export abstract class SubscriptionCommand extends LedgerCommand {
  static override args = subscriptionArgs
  static override flags = { ...subscriptionFlags, ...writeFlags }

  /** Sends an instruction about the subscription that an argument names; `more`: its other fields. */
  protected async change<T extends { readonly subscription: Uint8Array }>(
    text: string,
    flags: ChangeFlags,
    def: InstructionDef<T>,
    more: Omit<RecordTwin<T>, 'subscription'>,
  ): Promise<void> {
    const { account, reference } = flags
    await this.send(flags, async (drafting) => {
      const subscription = await draftedId(drafting, { text, account, reference })
      return [drafting.read(def, { ...more, subscription } as unknown as RecordTwin<T>)]
    })
  }
}
