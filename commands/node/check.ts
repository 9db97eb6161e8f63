import { BaseCommand } from '../../src/cli/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/flags.js'
import { pairs } from '../../src/cli/output.js'

export default class NodeCheck extends BaseCommand {
  static override description =
    `Read everything that \`node start\` reads, as strictly, and start nothing: configuration, keys, genesis.
Ends with the code that a start would end with. \`causeway doctor\` looks at more and goes on after a fault.`
  static override examples = ['<%= config.bin %> node check --config node.toml']
  static override flags = nodeConfigFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeCheck)
    const { ABI_1 } = await import('../../src/features/index.js')
    const { loadNodeConfig } = await import('../../src/node/config/index.js')
    const { readKeys, readPinnedGenesis } = await import('../../src/node/identity.js')
    const { verifyGenesis } = await import('../../src/node/ledger/genesis.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    await readKeys(config)
    const { genesis, hash } = await readPinnedGenesis(config, ABI_1)
    await verifyGenesis(ABI_1, genesis)
    const { chain } = genesis.payload.value
    const view = { config: config.file, chain, genesis_hash: hash.toString('hex'), ready: true }
    this.out.result(
      view,
      pairs([
        ['configuration', view.config],
        ['chain', chain],
        ['genesis hash', view.genesis_hash],
        ['result', 'ready to start'],
      ]),
    )
  }
}
