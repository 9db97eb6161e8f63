/** Owns the file paths in the folder of a peer. */
import { join } from 'node:path'

/** Paths of the files of a peer in its folder. */
export const peerFiles = (folder: string) => ({
  keys: join(folder, 'keys'),
  validator: join(folder, 'keys', 'validator.json'),
  network: join(folder, 'keys', 'network.json'),
  card: join(folder, 'card.json'),
  config: join(folder, 'node.toml'),
})
