/** Owns which project of the runner a test file belongs to, and whether `npm test` runs it or only `npm run test:all`. */

/** Folders by project; a folder inside one of another project belongs to its own. */
export const FOLDERS = {
  /** One process, sources alone: no build, no process, no thread of the program. */
  unit: ['src', 'test/unit', 'test/conformance', 'test/mutation'],
  /** Clusters of nodes inside the process; some of their threads run `dist/`. */
  node: ['test/unit/node', 'test/byzantine'],
  /** The simulator, and properties over random histories. */
  sim: ['test/simulation', 'test/property'],
  /** Tests that start processes of the program, or its threads alone: `dist/`. */
  process: ['test/threads', 'test/network', 'test/tui', 'test/cli', 'test/e2e', 'test/docs', 'test/chaos'],
}

/**
 * Pool of the test files of each project: threads or processes. Only tests that change the process as a whole (its
 * working directory, its umask, its limits) need a process; threads start faster.
 */
export const POOLS = { unit: 'threads', node: 'threads', sim: 'threads', process: 'forks' }

/** Files of the project `process` that `npm test` runs: at most four minutes of real processes. */
export const SHORT_PROCESS_FILES = [
  'test/e2e/first-light.test.ts',
  'test/e2e/families.test.ts',
  'test/cli/package.test.ts',
]

const isBelow = (path, folder) => path.startsWith(`${folder}/`)

/** The project of a test file, by its path in the repository; undefined if no project runs it. */
export function projectOf(path) {
  const [nearest] = Object.values(FOLDERS)
    .flat()
    .filter((folder) => isBelow(path, folder))
    .sort((a, b) => b.length - a.length)
  return Object.keys(FOLDERS).find((name) => FOLDERS[name].includes(nearest))
}

/** True if `npm test` runs a test file: all of them but most of the project `process`. */
export const isShort = (path) => projectOf(path) !== 'process' || SHORT_PROCESS_FILES.includes(path)

/** The suite that this process runs. A plain `npx vitest run FILE` runs the file as `npm run test:all` does. */
export const SUITE = process.env.CAUSEWAY_SUITE === 'short' ? 'short' : 'all'

/** The size of a slice (seeds, histories, mutants) in `npm test` and in `npm run test:all`. */
export const slice = (short, all) => (SUITE === 'short' ? short : all)
