import { Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountArg, accountFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { usageError } from '../../../src/cli/terminal/failure.js'

export default class IsoSubmitterSet extends LedgerCommand {
  static override description =
    `Register an account as submitter of payment messages, with its BICs and the accounts that it may debit.
Replaces an earlier registration. The key must own the domain of those accounts.`
  static override examples = [
    '<%= config.bin %> iso submitter set desk@bank --bic BBBABEBB --domain bank --key-file admin.json',
    '<%= config.bin %> iso submitter set desk@bank --domain bank --limit eur#bank:50000:250000 --key-file admin.json',
    '<%= config.bin %> iso submitter set bridge@bank --domain bank',
  ]
  static override args = {
    account: accountArg({ description: 'address or alias of the submitter', required: true, ignoreStdin: true }),
  }
  static override flags = {
    bic: Flags.string({
      description: 'BIC that it may send for; may be repeated (default: every BIC)',
      multiple: true,
    }),
    domain: Flags.string({ description: 'allow it to debit every account of this domain', exclusive: ['debtor'] }),
    debtor: accountFlag({ description: 'account that it may debit; may be repeated', multiple: true }),
    limit: Flags.string({
      description: 'limit of its payments: ASSET:PER_PAYMENT:PER_DAY, either may be empty; may be repeated',
      multiple: true,
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoSubmitterSet)
    const { domain, debtor } = flags
    if (domain === undefined && debtor === undefined) {
      throw usageError('the accounts to debit are missing', 'Give --domain or --debtor.')
    }
    const { bicOf, limitOf, setSubmitter } = await import('../../../src/cli/iso/bind.js')
    const bics = (flags.bic ?? []).map(bicOf)
    const limits = (flags.limit ?? []).map(limitOf)
    await this.send(flags, async ({ account, read }) => {
      const submitter = await account(args.account)
      if (domain !== undefined) return [setSubmitter(read, submitter, bics, { domain }, limits)]
      const accounts = await Promise.all((debtor ?? []).map(account))
      return [setSubmitter(read, submitter, bics, { accounts }, limits)]
    })
  }
}
