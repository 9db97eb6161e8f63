import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class ContractBuild extends BaseCommand {
  static override description =
    `Compile the folder of a contract and check the module: build/contract.wasm and build/manifest.json.
Uses the compiler installed in the folder. Compile errors and violations of the profile are reported with file,
line and column.`
  static override examples = ['<%= config.bin %> contract build my-token']
  static override args = {
    folder: Args.string({ description: 'folder of the contract', default: '.', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ContractBuild)
    const { buildProject, entrypointsOf, hashesOf } = await import('../../src/cli/contract/project.js')
    const built = await buildProject(args.folder)
    const hashes = await hashesOf(built)
    const entrypoints = entrypointsOf(built).map(({ name }) => name)
    const view = { ...hashes, entrypoints }
    const text = pairs([
      ['artifact', hashes.artifact],
      ['bytes', String(hashes.bytes)],
      ['entrypoints', entrypoints.join(' ')],
    ])
    this.out.result(view, text)
  }
}
