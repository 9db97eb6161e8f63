import { Args } from '@oclif/core'
import { ReadCommand } from '../../src/cli/command/read-command.js'

export default class ContractCode extends ReadCommand {
  static override description = 'Show an artifact by its hash: its registrant and its manifest.'
  static override examples = ['<%= config.bin %> contract code 5e1c…']
  static override args = {
    artifact: Args.string({ description: 'hash of the artifact', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractCode)
    await this.show(flags, ({ contracts }) => contracts.code, { params: { hash: args.artifact } })
  }
}
