import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { EXIT } from '../../src/model/errors.js'

export default class ContractTest extends BaseCommand {
  static override description =
    `Run the tests of a built contract: the scenarios of tests.json, each on its own in-memory ledger.
No network is needed. The ledger uses the newest ABI and the accounts of the scenario.`
  static override examples = ['<%= config.bin %> contract test my-token']
  static override args = {
    folder: Args.string({ description: 'folder of the contract', default: '.', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(ContractTest)
    const { readBuilt, readTests } = await import('../../src/cli/contract/project.js')
    const { runScenarios } = await import('../../src/scenario/run.js')
    const { results } = runScenarios(await readBuilt(args.folder), await readTests(args.folder))
    const failed = results.filter(({ failure }) => failure !== undefined)
    const lines = results.map(({ name, failure, gas }) =>
      failure === undefined ? `ok      ${name} (${gas} gas)` : `FAILED  ${name}: ${failure}`,
    )
    const view = {
      passed: results.length - failed.length,
      failed: failed.length,
      tests: results.map(({ name, failure, gas }) => ({ name, failure: failure ?? null, gas })),
    }
    this.out.result(view, [...lines, `${view.passed} passed, ${view.failed} failed`].join('\n'))
    if (failed.length > 0) this.exitWith(EXIT.checkFailed)
  }
}
