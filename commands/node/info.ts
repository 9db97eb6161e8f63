import { BaseCommand } from '../../src/cli/command/base-command.js'
import { nodeConfigFlags, nodeConfigPath } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'
import type { DataDirHolder } from '../../src/storage/index.js'

function processText(holder: DataDirHolder | undefined): string {
  if (holder === undefined) return 'not running'
  const { pid, use, isElsewhere, isJoining } = holder
  if (use === 'command') return `not running; a command is using the data directory (process ${pid})`
  const text = isElsewhere ? 'on another machine or in another container' : String(pid)
  return isJoining ? `${text}, filling the data directory from a snapshot` : text
}

export default class NodeInfo extends BaseCommand {
  static override description =
    'Show the node of a configuration: identity, network, data directory, and the process that runs it.'
  static override examples = ['<%= config.bin %> node info --config node.toml']
  static override flags = nodeConfigFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(NodeInfo)
    const { formatHostPort, loadNodeConfig } = await import('../../src/node/config/index.js')
    const { dataDirHolder, readDataDirFormat } = await import('../../src/storage/index.js')
    const { readKeys } = await import('../../src/node/identity/identity.js')
    const { formatPublicKey } = await import('../../src/crypto/index.js')
    const config = await loadNodeConfig(nodeConfigPath(flags))
    const keys = await readKeys(config)
    const holder = await dataDirHolder(config.dataDir)
    const running = holder !== undefined && holder.use !== 'command'
    const format = await readDataDirFormat(config.dataDir)
    const view = {
      config: config.file,
      validator_key: formatPublicKey(keys.validator.publicKey),
      network_key: formatPublicKey(keys.network.publicKey),
      genesis_hash: config.genesis.hash,
      chain: format?.chain ?? null,
      data_dir: config.dataDir,
      data_format: format?.format ?? null,
      network_listen: formatHostPort(config.network.listen),
      gateway_listen: formatHostPort(config.gateway.listen),
      running,
      // The id of a process of another machine or container names another process here.
      pid: running && !holder.isElsewhere ? holder.pid : null,
    }
    this.out.result(
      view,
      pairs([
        ['configuration', view.config],
        ['validator key', view.validator_key],
        ['network key', view.network_key],
        ['genesis hash', view.genesis_hash],
        ['chain', view.chain ?? undefined],
        ['data directory', view.data_format === null ? `${view.data_dir} (does not exist yet)` : view.data_dir],
        ['links', view.network_listen],
        ['gateway', view.gateway_listen],
        ['process', processText(holder)],
      ]),
    )
  }
}
