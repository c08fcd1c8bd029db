import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import classes from './connections.module.css'

/** After which a test takes longer than people expect of one that works. */
const SLOW_MS = 5_000

/** Says that a test is still under way, and how long it may take, once it takes long. */
export function StillWaiting({ pending }: { pending: boolean }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!pending) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [pending])
  return (
    <Text className={classes.waiting} size="sm" c="dimmed" role="status">
      {pending && isSlow && 'Still waiting for the source. It has 30 seconds to answer.'}
    </Text>
  )
}
