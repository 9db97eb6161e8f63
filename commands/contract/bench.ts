import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { table } from '../../src/cli/terminal/output.js'
import { EXIT } from '../../src/model/errors.js'

export default class ContractBench extends BaseCommand {
  static override description =
    `Measure the entrypoints of a built contract: gas, which is deterministic, and time on this machine.
The scenarios of tests.json are run repeatedly; each has to pass.`
  static override examples = ['<%= config.bin %> contract bench my-token --rounds 50']
  static override args = {
    folder: Args.string({ description: 'folder of the contract', default: '.', ignoreStdin: true }),
  }
  static override flags = {
    rounds: Flags.integer({ description: 'number of runs of each scenario', default: 20, min: 1, max: 1_000 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractBench)
    const { readBuilt, readTests } = await import('../../src/cli/contract/project.js')
    const { runScenarios } = await import('../../src/scenario/run.js')
    const { results, costs } = runScenarios(await readBuilt(args.folder), await readTests(args.folder), flags.rounds)
    const failed = results.find(({ failure }) => failure !== undefined)
    const rows = costs.map(({ entrypoint, calls, leastGas, mostGas, micros }) => ({
      entrypoint,
      calls,
      least_gas: leastGas,
      most_gas: mostGas,
      micros,
    }))
    const lines = rows.map((row) => Object.values(row).map(String))
    const text = table(['entrypoint', 'calls', 'least gas', 'most gas', 'us'], lines)
    this.out.result({ rounds: flags.rounds, entrypoints: rows }, text)
    if (failed !== undefined) {
      this.out.note(`${failed.name}: ${failed.failure}`)
      this.exitWith(EXIT.checkFailed)
    }
  }
}
