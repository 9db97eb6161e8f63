import { Args } from '@oclif/core'
import { writeFlags } from '../../src/cli/command/flags.js'
import { LedgerCommand } from '../../src/cli/ledger/command.js'
import { instructions as domains } from '../../src/features/domains/schema.js'

export default class DomainUnregister extends LedgerCommand {
  static override description = 'Remove a domain without accounts, asset definitions and NFTs.'
  static override examples = ['<%= config.bin %> domain unregister shop --key-file admin.json']
  static override args = {
    domain: Args.string({ description: 'name of the domain', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DomainUnregister)
    await this.send(flags, ({ read }) => [read(domains.unregisterDomain, { id: args.domain })])
  }
}
