import { readFile, realpath, stat } from 'node:fs/promises'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { shellWord } from '../../src/cli/text/shell.js'
import { LedgerError } from '../../src/model/errors.js'

export default class GenesisPin extends BaseCommand {
  static override description =
    `Check a signed genesis and pin it for this peer: its file and hash are written to the configuration.
The peer's own keys must be in its topology. Give --hash with the hash from the other hosts: it must be equal.`
  static override examples = [
    '<%= config.bin %> genesis pin genesis.signed --config node/node.toml --hash 4be1...',
    '<%= config.bin %> genesis pin genesis.signed --config node/node.toml',
  ]
  static override args = { file: Args.string({ description: 'signed genesis', required: true, ignoreStdin: true }) }
  static override flags = {
    config: Flags.string({
      char: 'c',
      description: 'configuration of the peer (TOML)',
      default: 'node.toml',
      helpValue: 'FILE',
    }),
    hash: Flags.string({ description: 'hash from the other hosts' }),
    joining: Flags.boolean({ description: 'this peer joins a running network and is not in the genesis' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GenesisPin)
    const { NEWEST_ABI, startAbi } = await import('../../src/features/abi.js')
    const { aheadText } = await import('../../src/node/genesis/ahead.js')
    const { readGenesisFile, readBytes } = await import('../../src/node/genesis/index.js')
    const { loadNodeConfig, withText } = await import('../../src/node/config/index.js')
    const { verifyGenesis } = await import('../../src/node/chain/genesis.js')
    const { ownPeerFaults } = await import('../../src/doctor/identity.js')
    const { replaceFile } = await import('../../src/files/write-file.js')
    const { readDataDirFormat } = await import('../../src/storage/index.js')
    const genesis = await readGenesisFile(NEWEST_ABI, args.file)
    const hash = (await verifyGenesis(startAbi(genesis.payload.value.abi), genesis)).hash.toString('hex')
    if (flags.hash !== undefined && flags.hash.toLowerCase() !== hash) {
      throw new LedgerError(
        'check_failed',
        `${args.file}: the hash is ${hash}, but the other hosts have ${flags.hash}`,
        {
          hint: 'Use the same file as the other hosts.',
        },
      )
    }
    const config = await loadNodeConfig(flags.config)
    const faults = flags.joining ? [] : await ownPeerFaults(config, genesis.payload.value.topology)
    if (faults.length > 0) {
      throw new LedgerError('check_failed', `${args.file} does not contain this peer`, {
        hint: 'Was its card added before the genesis was signed? For a peer that joins later, give --joining.',
        details: { faults: faults.map((message) => ({ message })) },
      })
    }
    const kept = await readDataDirFormat(config.dataDir)
    if (kept !== undefined && kept.genesis_hash !== hash) {
      throw new LedgerError(
        'genesis_mismatch',
        `${config.dataDir} contains the chain of genesis ${kept.genesis_hash}`,
        {
          hint: 'Pin the genesis of that chain, or set another data_dir for this one.',
        },
      )
    }
    const same = await Promise.all([realpath(args.file), realpath(config.genesis.file).catch(() => undefined)])
    if (same[0] !== same[1]) await replaceFile(config.genesis.file, await readBytes(args.file))
    const text = withText((await readBytes(flags.config)).toString('utf8'), 'genesis', 'hash', hash, flags.config)
    await replaceFile(flags.config, text, (await stat(flags.config)).mode & 0o777)
    // Read again, as the node will: a pin that does not hold is none.
    const pinned = await loadNodeConfig(flags.config)
    const isWhole = (await readFile(pinned.genesis.file)).equals(await readFile(args.file))
    if (pinned.genesis.hash !== hash || !isWhole) throw new Error('the pinned genesis differs from the given one')
    const view = { config: flags.config, file: pinned.genesis.file, chain: genesis.payload.value.chain, hash }
    const ahead = aheadText(genesis.payload.value.createdAtMs, Date.now())
    this.out.result(
      view,
      pairs([
        ['configuration', flags.config],
        ['genesis file', view.file],
        ['chain', view.chain],
        ['genesis hash', hash],
      ]),
    )
    if (ahead !== undefined) this.out.note(ahead)
    this.out.hint(`Next: causeway doctor --config ${shellWord(flags.config)}`)
  }
}
