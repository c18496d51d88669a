// SPDX-License-Identifier: MIT
// The browser of the tests of pages: without a graphics processor, so that WebGL draws in software, and pages are composed without it.
import { chromium } from 'playwright-core';

const args = ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', '--disable-gpu-compositing'];

export const launch = (executablePath) => chromium.launch({ executablePath, args });
