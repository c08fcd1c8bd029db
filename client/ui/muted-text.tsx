import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface MutedTextProps extends TextProps {
  children: ReactNode
  role?: string
}

/** Text of less weight: hints, captions, details. */
export const MutedText = (props: MutedTextProps) => <Text size="sm" c="dimmed" {...props} />
