import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

type Native = Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps | keyof AnchorProps>

/** A link of the product that looks like a button: `to`, `params` and `search` are checked against the routes. */
export const LinkButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)
/** A link of the product inside text. */
export const LinkAnchor = createLink((props: AnchorProps & Native) => <Anchor {...props} />)

/** How buttons and links look that stand in a row below what they are about. */
export const INLINE_ACTION = { size: 'compact-xs', variant: 'subtle' } as const
