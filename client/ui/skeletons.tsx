import { Group, Skeleton, Stack } from '@mantine/core'

const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** A list or table that is on its way. */
export function TableSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Stack gap={0} className="surface" aria-hidden="true">
      {indexes(count).map((row) => (
        <Group
          key={row}
          px="md"
          py={14}
          gap="lg"
          wrap="nowrap"
          style={{ borderTop: row ? '1px solid var(--line)' : 0 }}
        >
          <Skeleton h={12} w={`${38 - (row % 3) * 6}%`} />
          <Skeleton h={12} w="18%" visibleFrom="sm" />
          <Skeleton h={12} w="14%" ml="auto" />
        </Group>
      ))}
    </Stack>
  )
}

/** A chart that is on its way; as high as the chart, so that nothing jumps. */
export function ChartSkeleton({ height = 280 }: { height?: number }) {
  return (
    <Group align="flex-end" gap="2.5%" h={height} p="md" wrap="nowrap" className="surface" aria-hidden="true">
      {[46, 62, 54, 78, 70, 92, 66, 84].map((share) => (
        <Skeleton key={share} h={`${share}%`} style={{ flex: 1 }} />
      ))}
    </Group>
  )
}

/** A form whose stored values are on their way. */
export function FormSkeleton({ fields = 4 }: { fields?: number }) {
  return (
    <Stack gap="lg" aria-hidden="true">
      {indexes(fields).map((field) => (
        <Stack key={field} gap={6}>
          <Skeleton h={10} w={96} />
          <Skeleton h={36} />
        </Stack>
      ))}
    </Stack>
  )
}

/** A whole screen before its code and data are here. */
export function ScreenSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      <Stack gap={8} aria-hidden="true">
        <Skeleton h={22} w={220} />
        <Skeleton h={12} w={320} maw="80%" />
      </Stack>
      <TableSkeleton />
    </Stack>
  )
}
