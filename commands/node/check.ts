import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class NodeCheck extends BaseCommand {
  static override description =
    `Check everything that \`node start\` reads, without starting: configuration, genesis, keys, certificate of the
gateway, data directory. Exits with the code of the first fault, like a start. \`causeway doctor\` also checks ports and other
things that only a start can detect, and continues after a fault.`
  static override examples = ['<%= config.bin %> node check --config node.toml']
  static override flags = nodeConfigFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeCheck)
    const { NEWEST_ABI, startAbi } = await import('../../src/features/abi.js')
    const { aheadText } = await import('../../src/node/genesis/ahead.js')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { readStartFiles } = await import('../../src/node/identity/identity.js')
    const { verifyGenesis } = await import('../../src/node/chain/genesis.js')
    const { inspectDataDir } = await import('../../src/storage/index.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const { genesis, hash } = (await readStartFiles(config, NEWEST_ABI)).pinned
    const { chain } = genesis.payload.value
    await inspectDataDir(config.dataDir, { chain, genesisHash: hash })
    await verifyGenesis(startAbi(genesis.payload.value.abi), genesis)
    const view = { config: config.file, chain, genesis_hash: hash.toString('hex'), ready: true }
    const ahead = aheadText(genesis.payload.value.createdAtMs, Date.now())
    this.out.result(
      view,
      pairs([
        ['configuration', view.config],
        ['chain', chain],
        ['genesis hash', view.genesis_hash],
        ['result', 'ready to start'],
      ]),
    )
    if (ahead !== undefined) this.out.note(ahead)
  }
}
