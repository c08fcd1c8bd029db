import { readdirSync, readFileSync } from 'node:fs'

/** Process ids of a process and all below it (Linux). */
function family(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // The process ended while it was being read.
    }
  }
  const below = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 0; at = parents.get(at))
      if (at === root) return true
    return false
  }
  return [...parents.keys()].filter(below)
}

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

/** Every workerd under a process, found once: looking through all processes takes time. */
const workerdsOf = (root: number): number[] => family(root).filter((pid) => /^Name:\s+workerd/m.test(statusOf(pid)))

/** The kernel counts time in hundredths of a second. */
const TICKS_A_SECOND = 100
/** Reads the processor time of every workerd under a process, in seconds. */
export function workerdSeconds(root: number): () => number {
  const pids = workerdsOf(root)
  return () => pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS_A_SECOND
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return Number(user) + Number(system)
}

/** Reads the resident bytes of every workerd under a process. */
export function workerdMemory(root: number): () => number {
  const pids = workerdsOf(root)
  return () => pids.reduce((sum, pid) => sum + Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) * 1024, 0)
}

/** Watches how far the workerds under a process grow over what they have now. `stop` answers the bytes. */
export function watchMemory(root: number): { stop: () => number } {
  const memory = workerdMemory(root)
  const idle = memory()
  let peak = idle
  const watch = setInterval(() => (peak = Math.max(peak, memory())), 50)
  return {
    stop: () => {
      clearInterval(watch)
      return Math.max(peak, memory()) - idle
    },
  }
}
