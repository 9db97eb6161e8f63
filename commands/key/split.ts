import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { readKey } from '../../src/cli/settings/key.js'
import { usageError } from '../../src/cli/terminal/failure.js'
import { pairs } from '../../src/cli/terminal/output.js'
import { SHARES_MAX } from '../../src/files/share-limits.js'

export default class KeySplit extends BaseCommand {
  static override description =
    `Split the private key of a key file into shares: any --threshold of them reconstruct it, fewer reveal nothing.
Each share is a new file, encrypted with a passphrase of its holder, prompted for in turn or read from
CAUSEWAY_SHARE_PASSPHRASE_N for share N. The key file is not changed.`
  static override examples = [
    '<%= config.bin %> key split --key-file keys/validator.json --threshold 2 --shares 3 --out ceremony',
  ]
  static override flags = {
    threshold: Flags.integer({
      description: 'shares required to reconstruct the key',
      required: true,
      min: 2,
      max: SHARES_MAX,
    }),
    shares: Flags.integer({ description: 'number of shares', required: true, min: 2, max: SHARES_MAX }),
    out: Flags.string({ description: 'folder of the shares, created if missing', required: true }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(KeySplit)
    const { threshold, shares, out } = flags
    const file = flags['key-file'] ?? process.env.CAUSEWAY_KEY_FILE
    if (file === undefined) throw usageError('the key to split is missing', 'Give --key-file.')
    if (threshold > shares)
      throw usageError(`${shares} shares cannot have a threshold of ${threshold}`, 'Lower --threshold.')
    const pair = await readKey(file)
    const { expectAbsent, unwritable } = await import('../../src/files/write-file.js')
    const numbers = Array.from({ length: shares }, (_, index) => index + 1)
    const name = basename(file).replace(/\.json$/, '')
    const pathOf = (number: number): string => join(out, `${name}.share-${number}.json`)
    await expectAbsent(numbers.map(pathOf))
    const { sharePassphrases } = await import('../../src/cli/settings/share-passphrases.js')
    const passphrases = await sharePassphrases(numbers, 'seal', flags['no-input'])
    const { splitKey } = await import('../../src/files/key-shares.js')
    const { allOrNothing } = await import('../../src/cli/setup/all-or-nothing.js')
    await mkdir(out, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw unwritable(out, error)
    })
    await allOrNothing((onFile) => splitKey(pair, { threshold, passphrases, pathOf, onFile }))
    const { formatPublicKey } = await import('../../src/crypto/keys.js')
    const result = { public_key: formatPublicKey(pair.publicKey), threshold, shares: numbers.map(pathOf) }
    const text = pairs([
      ['public key', result.public_key],
      ['shares', `${shares}, threshold ${threshold}`],
      ...result.shares.map((path, index): [string, string] => [`share ${index + 1}`, path]),
    ])
    this.out.result(result, text)
  }
}
