import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg, assetFlag } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import type { Json } from '../../src/codec/index.js'
import { instructions as assets } from '../../src/features/assets/schema/instructions.js'
import type { Instruction } from '../../src/model/index.js'

const WINDOWS = ['day', 'week', 'month'] as const

export default class AssetControl extends LedgerCommand {
  static override description =
    `Freeze, blacklist or cap the transfers of an account in an asset. The key must own the asset definition or hold CanControl.
A freeze stops outgoing payments (refused with AC06), a blacklist stops both directions, caps count UTC days, weeks from
Monday, and months (AM14). Given caps replace all earlier ones; --no-caps removes them.`
  static override examples = [
    '<%= config.bin %> asset control alice@bank --asset eur#bank --freeze --reason "court order" --key-file admin.json',
    '<%= config.bin %> asset control alice@bank --asset eur#bank --day 10000 --month 100000',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {
    asset: assetFlag({ description: 'asset definition name#domain', required: true }),
    freeze: Flags.boolean({ description: 'freeze the balance; --no-freeze ends it', allowNo: true }),
    blacklist: Flags.boolean({ description: 'blacklist the account; --no-blacklist ends it', allowNo: true }),
    reason: Flags.string({ description: 'reason, included in the event of the freeze', dependsOn: ['freeze'] }),
    day: Flags.string({ description: 'maximum outgoing amount in a day' }),
    week: Flags.string({ description: 'maximum outgoing amount in a week' }),
    month: Flags.string({ description: 'maximum outgoing amount in a month' }),
    'no-caps': Flags.boolean({ description: 'remove all caps', exclusive: ['day', 'week', 'month'] }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AssetControl)
    const caps = WINDOWS.flatMap((window) => {
      const cap = flags[window]
      return cap === undefined ? [] : [{ window: `${window[0]?.toUpperCase()}${window.slice(1)}`, cap }]
    })
    const isCapped = caps.length > 0 || flags['no-caps']
    if (flags.freeze === undefined && flags.blacklist === undefined && !isCapped) {
      throw usageError('no change is given', 'Give --freeze, --blacklist, a cap, or one of their opposites.')
    }
    await this.send(flags, async ({ account, asset: definition, read }) => {
      const asset: Json = { definition: await definition(flags.asset), account: await account(args.account) }
      const instructions: Instruction[] = []
      if (flags.freeze !== undefined) {
        instructions.push(read(assets.setFreeze, { asset, frozen: flags.freeze, reason: flags.reason ?? null }))
      }
      if (flags.blacklist !== undefined)
        instructions.push(read(assets.setBlacklist, { asset, blacklisted: flags.blacklist }))
      if (isCapped) instructions.push(read(assets.setLimits, { asset, limits: caps }))
      return instructions
    })
  }
}
