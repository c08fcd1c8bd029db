import { Group, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import classes from './import-preview.module.css'
import type { ParsedExample } from './proof'

/** Cells of the person's own file, read out: nobody can take `1 234,50` for 123 450 after this. */
export function ParsedExamples({ proofs }: { proofs: ParsedExample[] }) {
  if (proofs.length === 0) return null
  return (
    <Group gap="lg" className={classes.proofs}>
      {proofs.map(({ column, raw, words }) => (
        <Group key={`${column}:${raw}`} gap={8} wrap="nowrap" align="flex-start">
          <IconCircleCheck size={18} color="var(--good)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Text size="sm">
            <code className={classes.raw}>{raw}</code> is read as <strong>{words}</strong>
            <Text span size="xs" c="dimmed">
              {' '}
              in {column}
            </Text>
          </Text>
        </Group>
      ))}
    </Group>
  )
}
