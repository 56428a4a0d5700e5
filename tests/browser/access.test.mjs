// axe-core finds no violation on the page after it opens, in light and in dark.
const schemes = ["light", "dark"];

export const tests = schemes.map((colorScheme) => ({
  name: `no axe-core violation in ${colorScheme}`,
  async run(context) {
    const { page } = await context.open({ colorScheme, bypassCSP: true });
    await context.checkAccess(page);
    await context.screenshot(page, `first-${colorScheme}`);
  },
}));
