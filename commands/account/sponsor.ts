import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import { parseTime } from '../../src/cli/input/time.js'
import { amountText } from '../../src/cli/input/values.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import type { Json } from '../../src/codec/index.js'
import { instructions as fees } from '../../src/features/fees/schema.js'

export default class AccountSponsor extends LedgerCommand {
  static override description = `Pay the fees of an account or of a domain, up to caps; --end stops it.
Transactions give the sponsor in their metadata: fee_sponsor.`
  static override examples = [
    '<%= config.bin %> account sponsor --account bob@bank --per-tx 1 --per-day 20 --key-file alice.json',
    '<%= config.bin %> account sponsor --domain shop --end',
  ]
  static override flags = {
    account: accountFlag({ description: 'sponsored account', exactlyOne: ['account', 'domain'] }),
    domain: Flags.string({ description: 'domain of the sponsored accounts' }),
    'per-tx': Flags.string({ description: 'maximum for one transaction' }),
    'per-day': Flags.string({ description: 'maximum for one UTC day' }),
    expires: Flags.string({ description: 'end of the sponsorship, a date and time' }),
    end: Flags.boolean({ description: 'end the sponsorship', exclusive: ['per-tx', 'per-day', 'expires'] }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountSponsor)
    const { 'per-tx': perTx, 'per-day': perDay, expires, end } = flags
    if (!end && (perTx === undefined || perDay === undefined)) throw usageError('give --per-tx and --per-day, or --end')
    const terms = end
      ? null
      : {
          max_per_tx: amountText(perTx ?? ''),
          max_per_day: amountText(perDay ?? ''),
          expires_ms: expires === undefined ? null : parseTime(expires, '--expires'),
        }
    await this.send(flags, async ({ account, read }) => {
      const beneficiary: Json =
        flags.domain === undefined ? { Account: await account(flags.account) } : { Domain: flags.domain }
      return [read(fees.sponsorFees, { beneficiary, terms })]
    })
  }
}
