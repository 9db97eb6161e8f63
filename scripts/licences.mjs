// The page of licences: packages inside the bundle, as its notices name them, and packages that npm installs beside it, as the lock file does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Packages inside the bundle: name, version and licence. */
const bundled = (root) =>
  readFileSync(join(root, 'dist', 'bundle', 'THIRD-PARTY.txt'), 'utf8')
    .split(/^-{80}$/m)
    .slice(1)
    .map((notice) =>
      notice
        .trim()
        .match(/^(\S+) (\S+) \((.+)\)/)
        ?.slice(1),
    )

/** Packages of the lock file that are not for development alone: name, version and licence. */
function installed(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const rows = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license }]) => [path.replace(/^.*node_modules\//, ''), version, license])
  return [...new Map(rows.map((row) => [row.join(' '), row])).values()]
}

const byName = ([a], [b]) => (a < b ? -1 : Number(a > b))

/** Rows of the page: packages inside the bundle, and those beside it. */
export const licences = (root) => ({
  bundled: bundled(root).sort(byName),
  installed: installed(root).sort(byName),
})
