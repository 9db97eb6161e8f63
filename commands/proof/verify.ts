import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class ProofVerify extends BaseCommand {
  static override description = `Check a proof of a block, a transaction or a record of the state, offline.
Only the genesis hash is trusted. The proof is the response of GET /v1/bridge/finality/{height},
/v1/ledger/block/{height}/proof/{hash} or /v1/ledger/state-proof. Exits 10 if it is invalid.`
  static override examples = [
    '<%= config.bin %> api GET /v1/bridge/finality/120 > finality.json',
    '<%= config.bin %> proof verify finality.json --genesis-hash 5f0c…',
  ]
  static override args = {
    file: Args.string({ description: 'proof as JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'genesis-hash': Flags.string({ description: 'trusted genesis block hash', required: true }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProofVerify)
    const { usageError } = await import('../../src/cli/terminal/failure.js')
    const { checkProof } = await import('../../src/cli/chain/proof.js')
    if (!/^[0-9a-f]{64}$/i.test(flags['genesis-hash'])) throw usageError('--genesis-hash: expected 64 hex digits')
    const found = await checkProof(args.file, Buffer.from(flags['genesis-hash'], 'hex'))
    const text = pairs([
      ['shows', found.shows],
      ['chain', found.chain],
      ['height', String(found.height)],
      ['block', found.block_hash],
      ...(found.detail === undefined ? [] : [['detail', found.detail] as const]),
      ['result', 'valid'],
    ])
    this.out.result({ ...found, detail: found.detail ?? null, valid: true }, text)
  }
}
