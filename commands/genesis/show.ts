import { Args } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { isoTime } from '../../src/cli/text/figures.js'
import { isJsonObject } from '../../src/codec/schema.js'

export default class GenesisShow extends BaseCommand {
  static override description = 'Show the content of a signed genesis; with --json the whole payload and header.'
  static override examples = [
    '<%= config.bin %> genesis show genesis.signed',
    '<%= config.bin %> genesis show genesis.signed --json',
  ]
  static override args = {
    file: Args.string({ description: 'signed genesis', default: 'genesis.signed', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(GenesisShow)
    const { NEWEST_ABI } = await import('../../src/features/abi.js')
    const { hashOfHeader, signedGenesis } = await import('../../src/model/index.js')
    const { readGenesisFile } = await import('../../src/node/genesis/index.js')
    const genesis = await readGenesisFile(NEWEST_ABI, args.file)
    const payload = genesis.payload.value
    const hash = hashOfHeader(genesis.header).toString('hex')
    const kinds = new Map<string, number>()
    for (const { kind } of payload.instructions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    const text = pairs([
      ['genesis hash', hash],
      ['chain', payload.chain],
      ['mode', payload.consensusMode],
      ['created', isoTime(payload.createdAtMs)],
      ['ABI', String(payload.abi)],
      ['peers', String(payload.topology.length)],
      ['parameters', [...payload.parameters.keys()].join(', ') || 'defaults'],
      ['instructions', [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none'],
      ['state root', Buffer.from(genesis.header.stateRoot).toString('hex')],
    ])
    const json = signedGenesis.toJson(genesis, NEWEST_ABI.codec(payload.addressPrefix))
    this.out.result({ hash, ...(isJsonObject(json) ? json : {}) }, text)
  }
}
