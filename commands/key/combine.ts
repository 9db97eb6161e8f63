import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { PASSPHRASE_ENV } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class KeyCombine extends BaseCommand {
  static override description = `Reconstruct a private key from its shares, and write it into a new key file.
Passphrases of the shares are prompted for, or read from CAUSEWAY_SHARE_PASSPHRASE_N for share N.
The result must be the key named in the shares. ${PASSPHRASE_ENV} encrypts the new file.`
  static override examples = [
    '<%= config.bin %> key combine ceremony/validator.share-1.json ceremony/validator.share-3.json --out validator.json',
    '<%= config.bin %> key combine ceremony/validator.share-1.json ceremony/validator.share-3.json --check',
  ]
  static override strict = false
  static override args = { share: Args.string({ description: 'files of shares', required: true, ignoreStdin: true }) }
  static override flags = {
    out: Flags.string({ description: 'path of the new key file' }),
    check: Flags.boolean({ description: 'only check that the shares reconstruct their key', exclusive: ['out'] }),
    'address-prefix': Flags.string({ description: 'prefix of the addresses of the chain', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(KeyCombine)
    const { out, check } = flags
    if (out === undefined && !check)
      throw usageError('the destination of the key is missing', 'Give --out, or --check.')
    const { checkShares, combineShares, readShare } = await import('../../src/files/key-shares.js')
    const [first, ...others] = checkShares(await Promise.all(argv.map(String).map(readShare)))
    const heads = [first, ...others]
    const numbers = heads.map(({ number }) => number)
    if (out !== undefined) {
      const { expectAbsent } = await import('../../src/files/write-file.js')
      await expectAbsent([out])
    }
    const { sharePassphrases } = await import('../../src/cli/settings/share-passphrases.js')
    const pair = await combineShares(heads, await sharePassphrases(numbers, 'open', flags['no-input']))
    if (out !== undefined) {
      const { writeKeyFile } = await import('../../src/files/key-file.js')
      const passphrase = process.env[PASSPHRASE_ENV]
      await writeKeyFile(out, pair, { passphrase })
    }
    const { keyView } = await import('../../src/cli/settings/key-view.js')
    const { key_file, ...view } = keyView(out ?? '', pair.publicKey, flags['address-prefix'])
    const { threshold, shares } = first
    const result = { key_file: check ? undefined : key_file, ...view, shares: numbers, threshold }
    const text = pairs([
      ['key file', check ? undefined : key_file],
      ['algorithm', view.algorithm],
      ['public key', view.public_key],
      ['address', view.address],
      ['shares', `${numbers.join(', ')} of ${shares}, threshold ${threshold}`],
    ])
    this.out.result(result, text)
  }
}
