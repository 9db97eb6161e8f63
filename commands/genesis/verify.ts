import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { chainHashOf, genesisSeed, LedgerError } from '../../src/model/index.js'

export default class GenesisVerify extends BaseCommand {
  static override description = `Check a signed genesis: its signature, and every root by executing it again.
With --hash also compare its hash with the pinned one. Exits 10 if a check fails.`
  static override examples = ['<%= config.bin %> genesis verify genesis.signed --hash 4be1...']
  static override args = {
    file: Args.string({ description: 'signed genesis', default: 'genesis.signed', ignoreStdin: true }),
  }
  static override flags = { hash: Flags.string({ description: 'expected hash of the genesis block' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GenesisVerify)
    const { NEWEST_ABI, startAbi } = await import('../../src/features/abi.js')
    const { aheadText } = await import('../../src/node/genesis/ahead.js')
    const { readGenesisFile } = await import('../../src/node/genesis/index.js')
    const { verifyGenesis } = await import('../../src/node/chain/genesis.js')
    const genesis = await readGenesisFile(NEWEST_ABI, args.file)
    let hash: string
    try {
      hash = (await verifyGenesis(startAbi(genesis.payload.value.abi), genesis)).hash.toString('hex')
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      throw new LedgerError('check_failed', `${args.file}: ${error.message}`, { details: { code: error.code } })
    }
    if (flags.hash !== undefined && flags.hash.toLowerCase() !== hash) {
      throw new LedgerError('check_failed', `${args.file}: the hash is ${hash}, expected ${flags.hash}`)
    }
    const { chain } = genesis.payload.value
    const root = Buffer.from(genesis.header.stateRoot).toString('hex')
    const chainHash = chainHashOf(chain, genesisSeed(genesis.payload.bytes)).toString('hex')
    const view = { file: args.file, chain, hash, chain_hash: chainHash, state_root: root, valid: true }
    const ahead = aheadText(genesis.payload.value.createdAtMs, Date.now())
    this.out.result(
      view,
      pairs([
        ['genesis hash', hash],
        ['chain', chain],
        ['chain hash', chainHash],
        ['state root', root],
        ['result', 'valid'],
      ]),
    )
    if (ahead !== undefined) this.out.note(ahead)
  }
}
