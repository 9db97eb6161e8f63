import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'

export default class ContractVerify extends BaseCommand {
  static override description =
    `Check a module offline: that it is of the profile, and that the manifest beside it is its own.
Prints the hashes that the ledger would know it by. With --genesis-hash the file is the answer of
GET /v1/contracts/bundle/{address}: a contract with its module, its manifest and the proof of its row. Nothing is
trusted but the genesis hash then. Exits 10 when the proof is invalid.`
  static override examples = [
    '<%= config.bin %> contract verify my-token/build/contract.wasm',
    '<%= config.bin %> api GET /v1/contracts/bundle/cw1q… > bundle.json',
    '<%= config.bin %> contract verify bundle.json --genesis-hash 5f0c…',
  ]
  static override args = {
    file: Args.string({
      description: 'module, with manifest.json beside it; or a proven contract as JSON',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    'genesis-hash': Flags.string({
      description: 'hash of the genesis block that you trust: the file is a proven contract',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractVerify)
    const view = await this.verified(args.file, flags['genesis-hash'])
    this.out.result(
      view,
      pairs(Object.entries(view).map(([name, value]) => [name.replaceAll('_', ' '), String(value)])),
    )
  }

  private async verified(file: string, genesisHash: string | undefined): Promise<object> {
    if (genesisHash === undefined) return (await import('../../src/cli/contract/verify.js')).verifyBuilt(file)
    const { usageError } = await import('../../src/cli/command/failure.js')
    if (!/^[0-9a-f]{64}$/i.test(genesisHash)) throw usageError('--genesis-hash: 64 hexadecimal digits')
    const { verifyProven } = await import('../../src/cli/contract/proven.js')
    return verifyProven(file, Buffer.from(genesisHash, 'hex'))
  }
}
