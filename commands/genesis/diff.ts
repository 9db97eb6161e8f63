import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { EXIT } from '../../src/model/errors.js'

export default class GenesisDiff extends BaseCommand {
  static override description = `Compare two geneses, manifests or signed ones, and print every field that differs.
Exits 0 if they are equal, 10 if they differ. Use it when genesis hashes of hosts differ.`
  static override examples = [
    '<%= config.bin %> genesis diff bank-a/genesis.signed bank-b/genesis.signed',
    '<%= config.bin %> genesis diff genesis.json other.json --json',
  ]
  static override args = {
    first: Args.string({ description: 'manifest or signed genesis', required: true, ignoreStdin: true }),
    second: Args.string({
      description: 'manifest or signed genesis to compare with',
      required: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(GenesisDiff)
    const { NEWEST_ABI } = await import('../../src/features/abi.js')
    const { differencesOf, genesisJson } = await import('../../src/node/genesis/index.js')
    const [first, second] = [await genesisJson(NEWEST_ABI, args.first), await genesisJson(NEWEST_ABI, args.second)]
    const differences = differencesOf(first, second)
    const lines = differences.flatMap(({ path, first: one, second: other }) => [
      path === '' ? '(the whole file)' : path,
      `  ${args.first}: ${one === undefined ? 'absent' : JSON.stringify(one)}`,
      `  ${args.second}: ${other === undefined ? 'absent' : JSON.stringify(other)}`,
    ])
    this.out.result({ equal: differences.length === 0, differences }, lines.join('\n') || 'equal')
    if (differences.length > 0) this.exitWith(EXIT.checkFailed)
  }
}
