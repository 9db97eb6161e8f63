import { Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { metadataOf } from '../../src/cli/ledger/forms.js'
import { policyOf } from '../../src/cli/ledger/multisig-forms.js'
import { instructions as multisig } from '../../src/features/multisig/schema.js'

export default class MultisigCreate extends LedgerCommand {
  static override description = 'Register a multisig account; its address follows from its policy.'
  static override examples = [
    '<%= config.bin %> multisig create --member alice@bank --member bob@bank=2 --quorum 2 --domain bank --label board --key-file admin.json',
  ]
  static override flags = {
    member: Flags.string({
      description: 'member ACCOUNT or ACCOUNT=WEIGHT; may be repeated',
      multiple: true,
      required: true,
    }),
    quorum: Flags.integer({ description: 'quorum, as a sum of weights', required: true, min: 1 }),
    ttl: Flags.string({ description: 'maximum time to live of a proposal', default: '1d' }),
    domain: Flags.string({ description: 'home domain', required: true }),
    label: Flags.string({ description: 'label: the alias is label@domain' }),
    meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MultisigCreate)
    await this.send(flags, async (drafting) => {
      const policy = await policyOf(flags, drafting)
      const home = { domain: flags.domain, label: flags.label ?? null, metadata: metadataOf(flags.meta) }
      return [drafting.read(multisig.registerMultisig, { policy, target: { Create: home } })]
    })
  }
}
