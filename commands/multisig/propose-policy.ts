import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { accountArg } from '../../src/cli/input/texts.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { policyOf } from '../../src/cli/ledger/multisig-forms.js'
import { instructions as multisig } from '../../src/features/multisig/schema.js'

export default class MultisigProposePolicy extends LedgerCommand {
  static override description =
    'Propose another policy for a multisig account; it takes effect when approved under the current policy.'
  static override examples = [
    '<%= config.bin %> multisig propose-policy board@bank --member alice@bank --member carol@bank --quorum 2 --key-file alice.json',
  ]
  static override args = {
    account: accountArg({ description: 'multisig account, address or alias', required: true, ignoreStdin: true }),
  }
  static override flags = {
    member: Flags.string({
      description: 'member ACCOUNT or ACCOUNT=WEIGHT; may be repeated',
      multiple: true,
      required: true,
    }),
    quorum: Flags.integer({ description: 'quorum, as a sum of weights', required: true, min: 1 }),
    ttl: Flags.string({ description: 'maximum time to live of a proposal', default: '1d' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MultisigProposePolicy)
    await this.send(flags, async (drafting) => {
      const account = await drafting.account(args.account)
      const change = { RegisterMultisig: { policy: await policyOf(flags, drafting), target: { Replace: account } } }
      return [drafting.read(multisig.propose, { account, instructions: [change], ttl_ms: null })]
    })
  }
}
