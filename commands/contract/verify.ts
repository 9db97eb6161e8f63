import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { accountFlag } from '../../src/cli/input/texts.js'
import type { SettingFlags } from '../../src/cli/settings/settings.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class ContractVerify extends BaseCommand {
  static override description = `Check a module, the sources of a contract, or a proven contract.
A module must match the profile and the manifest beside it; no node is needed. With --deployed the
argument is the folder of a contract: it is compiled again and must reproduce the bytes of the deployed contract. No program
in the folder is run: --compiler gives a compiler that you installed, of the version in its package.json.
With --genesis-hash the argument is the response of GET /v1/contracts/bundle/{address}: a contract with its module, its manifest and
the proof of its row. Only the genesis hash is trusted then. Exits 10 if the proof is invalid.`
  static override examples = [
    '<%= config.bin %> contract verify my-token/build/contract.wasm',
    '<%= config.bin %> contract verify my-token --deployed token@bank --compiler tools/node_modules/assemblyscript',
    '<%= config.bin %> api GET /v1/contracts/bundle/cw1q… > bundle.json',
    '<%= config.bin %> contract verify bundle.json --genesis-hash 5f0c…',
  ]
  static override args = {
    file: Args.string({
      description: 'module, with manifest.json beside it; folder of a contract; or a proven contract as JSON',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    'genesis-hash': Flags.string({
      description: 'trusted genesis block hash: the file is a proven contract',
    }),
    deployed: accountFlag({
      description: 'address or alias of the contract to compare with the folder',
      helpValue: 'CONTRACT',
      exclusive: ['genesis-hash'],
    }),
    compiler: Flags.string({
      description: 'with --deployed: folder of the package assemblyscript, installed by you',
      helpValue: 'DIR',
      dependsOn: ['deployed'],
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractVerify)
    const view =
      flags.deployed === undefined
        ? await this.verified(args.file, flags['genesis-hash'])
        : await this.rebuilt(args.file, flags.deployed, flags)
    this.out.result(
      view,
      pairs(
        Object.entries(view).map(([name, value]) => [
          name.replaceAll('_', ' '),
          typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value),
        ]),
      ),
    )
  }

  private async verified(file: string, genesisHash: string | undefined): Promise<object> {
    if (genesisHash === undefined) return (await import('../../src/cli/contract/verify.js')).verifyBuilt(file)
    const { usageError } = await import('../../src/cli/terminal/failure.js')
    if (!/^[0-9a-f]{64}$/i.test(genesisHash)) throw usageError('--genesis-hash: expected 64 hex digits')
    const { verifyProven } = await import('../../src/cli/contract/proven.js')
    return verifyProven(file, Buffer.from(genesisHash, 'hex'))
  }

  private async rebuilt(
    folder: string,
    contract: string,
    { compiler, ...flags }: SettingFlags & { readonly compiler?: string | undefined },
  ): Promise<object> {
    if (compiler === undefined) {
      const { usageError } = await import('../../src/cli/terminal/failure.js')
      throw usageError(
        '--deployed requires --compiler: the compiler in the folder is a program of its author',
        'Install the version of its package.json elsewhere: npm install --prefix tools assemblyscript@VERSION.',
      )
    }
    const { verifyDeployed } = await import('../../src/cli/contract/verify.js')
    const { withGateway } = await import('../../src/cli/gateway/gateway.js')
    return withGateway(await this.settings(flags), (client) => verifyDeployed(folder, client, contract, compiler))
  }
}
