import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class ContractNew extends BaseCommand {
  static override description =
    `Make the folder of a contract from a template: its source, the SDK, what it is compiled with.
It deploys at once; to build it again after a change, run npm install in it first.`
  static override examples = ['<%= config.bin %> contract new my-token --template token']
  static override args = {
    folder: Args.string({ description: 'folder to make', required: true, ignoreStdin: true }),
  }
  static override flags = {
    template: Flags.string({ description: 'what it begins as', default: 'token' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractNew)
    const { makeProject } = await import('../../src/cli/contract/project.js')
    const files = await makeProject(args.folder, flags.template)
    this.out.result(
      { folder: args.folder, template: flags.template, files },
      `made ${args.folder} from ${flags.template}`,
    )
  }
}
