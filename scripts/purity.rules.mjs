// What code that every node must compute alike may not use (ARCHITECTURE.md, "Determinism below, I/O above").

/** Folders whose results are hashed, signed or voted on; a star is every feature. */
export const PURE = [
  'src/base',
  'src/codec',
  'src/model',
  'src/consensus',
  'src/state',
  'src/lanes',
  'src/vm',
  'src/executor',
  'src/ledger',
  'src/features/*/ledger',
]

/** Files in them that do something else, and why they may; a file that needs no exception fails the check. */
export const EXCEPT = {
  'src/base/clocks.ts': 'the clocks; scripts/layers.config.cjs keeps the other folders here from them',
  'src/base/duration-text.ts': 'a text for people, which pages and commands share',
  'src/base/sleep.ts': 'a timer; likewise',
  'src/base/token-bucket.ts': 'rates of this node only; likewise',
  'src/base/turns.ts': 'turns of the threads of this node; likewise',
  'src/codec/frame.ts': 'a checksum of files: node:zlib computes it, no record depends on it',
  'src/consensus/limits.ts': 'timers of this node only',
  'src/consensus/pacemaker.ts': 'timers of this node only',
  'src/consensus/vote.ts': 'timers of this node only',
  'src/consensus/payload-limits.ts': 'memory of this node only',
  'src/consensus/block-limits.ts': 'a quotient in a text for operators',
  'src/state/level-backend.ts': 'the database of this node',
  'src/state/world-state.ts': 'the cache of this node',
  'src/state/tree-store.ts': 'the cache of this node',
}

/** Modules of the platform that compute the same everywhere. */
export const MODULES = ['node:buffer']

/** Globals that read the world, the clock or chance. */
export const GLOBALS = [
  'Atomics',
  'Date',
  'FinalizationRegistry',
  'Intl',
  'SharedArrayBuffer',
  'WeakRef',
  'console',
  'crypto',
  'fetch',
  'globalThis',
  'parseFloat',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
]

/** The only functions of Math that the language defines to the last bit, for integers. */
export const MATH = ['abs', 'ceil', 'clz32', 'floor', 'imul', 'max', 'min', 'sign', 'trunc']

/** Methods whose results depend on the locale, the tables of Unicode or the writing of fractions. */
export const METHODS = [
  'localeCompare',
  'normalize',
  'toExponential',
  'toFixed',
  'toLocaleLowerCase',
  'toLocaleString',
  'toLocaleUpperCase',
  'toPrecision',
]

/** Functions around a division that make it one of integers. */
export const ROUNDING = ['ceil', 'floor', 'trunc']
