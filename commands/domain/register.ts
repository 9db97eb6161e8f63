import { Args, Flags } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { metadataOf } from '../../src/cli/ledger/forms.js'
import { instructions as domains } from '../../src/features/domains/schema.js'

export default class DomainRegister extends LedgerCommand {
  static override description = 'Register a domain; the key becomes its owner. Needs CanRegisterDomain.'
  static override examples = [
    '<%= config.bin %> domain register shop --key-file admin.json',
    '<%= config.bin %> domain register bank-b --dataspace 7 --meta country=BE',
  ]
  static override args = {
    domain: Args.string({ description: 'name of the domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    dataspace: Flags.string({ description: 'permanent dataspace of the domain (default: the universal one)' }),
    meta: Flags.string({ description: 'metadata key=value; may be repeated', multiple: true, helpValue: 'KEY=VALUE' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainRegister)
    const record = { id: args.domain, dataspace: flags.dataspace ?? null, metadata: metadataOf(flags.meta) }
    await this.send(flags, ({ read }) => [read(domains.registerDomain, record)])
  }
}
