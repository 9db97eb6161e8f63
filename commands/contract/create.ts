import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'

export default class ContractCreate extends BaseCommand {
  static override description = `Create the folder of a contract from a template: source, SDK and build settings.
It can be deployed at once; run npm install in it before the first build.`
  static override examples = ['<%= config.bin %> contract create my-token --template token']
  static override args = {
    folder: Args.string({ description: 'folder to create', required: true, ignoreStdin: true }),
  }
  static override flags = {
    template: Flags.string({ description: 'template', default: 'token' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractCreate)
    const { makeProject } = await import('../../src/cli/contract/project.js')
    const files = await makeProject(args.folder, flags.template)
    this.out.result(
      { folder: args.folder, template: flags.template, files },
      `created ${args.folder} from ${flags.template}`,
    )
  }
}
