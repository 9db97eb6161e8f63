import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { accountFlag, assetFlag } from '../../../src/cli/input/texts.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'

export default class NamePolicySet extends LedgerCommand {
  static override description = `Set the policy of the names of a domain, as its owner or a holder of CanManageNames.
Flags that are not given keep their values. The policy applies to later leases and renewals.`
  static override examples = [
    '<%= config.bin %> name policy set bank --mode leased --asset eur#bank --price 20,10,5 --key-file admin.json',
    '<%= config.bin %> name policy set bank --max-per-account 50 --key-file admin.json',
  ]
  static override args = { domain: Args.string({ description: 'domain', required: true, ignoreStdin: true }) }
  static override flags = {
    mode: Flags.option({
      options: ['assigned', 'leased'] as const,
      description: 'source of names: the owner of the domain assigns them, or accounts lease them',
    })(),
    asset: assetFlag({ description: 'asset definition that leases are paid in; none for free leases' }),
    price: Flags.string({ description: 'prices of a year for labels of 3, 4 and 5 or more characters' }),
    treasury: accountFlag({
      description: 'account that is paid: address or alias; owner for the owner of the domain',
    }),
    'min-length': Flags.integer({ description: 'shortest label, in characters', min: 1, max: 63 }),
    grace: Flags.string({ description: 'time after the end in which a name still works, such as 30d; 0 for none' }),
    quarantine: Flags.string({ description: 'time after that in which only its owner can renew it, 30d to 90d' }),
    'max-per-account': Flags.integer({ description: 'leased names of an account', min: 1, max: 1000 }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NamePolicySet)
    const { changedPolicy } = await import('../../../src/cli/names/policy.js')
    const { domain } = args
    await this.send(flags, async ({ client, account, read }) => {
      const { policy, version } = await changedPolicy(client, domain, flags, account)
      return [read(names.setNamePolicy, { domain, policy, version })]
    })
  }
}
