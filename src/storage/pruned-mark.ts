/** Owns `first_height`: the height below which the blocks above genesis were pruned. */
import { readFile } from 'node:fs/promises'
import { errorCode } from '../base/thrown.js'
import { replaceFile } from '../files/write-file.js'
import { FIRST_VOTED_HEIGHT } from '../model/index.js'
import { corrupt } from './corrupt.js'

/** First stored height of one block store. */
export class PrunedMark {
  constructor(private readonly path: string) {}

  /** First stored height; throws `storage_corrupt` if the file has an invalid height for the tip of the store. */
  async read(tip: number): Promise<number> {
    let text: string
    try {
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return FIRST_VOTED_HEIGHT
      throw error
    }
    const height = /^\d{1,15}\n$/.test(text) ? Number(text) : 0
    if (height < FIRST_VOTED_HEIGHT || height > tip) throw corrupt(tip, this.path, 'its height is not in this store')
    return height
  }

  /** Write the height; resolves once it is durable. */
  write(height: number): Promise<void> {
    return replaceFile(this.path, `${height}\n`, 0o600)
  }
}
